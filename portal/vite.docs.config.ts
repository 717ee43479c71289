import { defineConfig } from 'vite'
import { BROWSERS, PACKAGE_FILES } from './vite.config.ts'

/** The API reference at /docs: Swagger UI in one module, and docs.txt with the licences of what it bundles. */
export default defineConfig({
  base: './',
  publicDir: false,
  build: {
    outDir: PACKAGE_FILES,
    emptyOutDir: false,
    target: BROWSERS,
    modulePreload: false,
    chunkSizeWarningLimit: 2000, // kB
    rolldownOptions: {
      input: 'src/docs.ts',
      output: { entryFileNames: 'docs.js', assetFileNames: 'docs[extname]' },
    },
  },
})
