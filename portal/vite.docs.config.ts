import { defineConfig } from 'vite'
import { BROWSERS, PACKAGE_FILES } from './vite.config.ts'

/** What the API reference at /docs runs: one module, apart from the page's. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: PACKAGE_FILES,
    emptyOutDir: false,
    target: BROWSERS,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/docs/main.ts',
      output: { entryFileNames: 'docs.js' },
    },
  },
})
