import { defineConfig } from 'vite'

/** Where the service's package serves its files from; the wheel takes them along. */
export const PACKAGE_FILES = '../service/src/plimsoll_service/portal/static'

/** The first releases with light-dark(), which the themes are written in. */
export const BROWSERS = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  base: './',
  build: {
    outDir: PACKAGE_FILES,
    emptyOutDir: true,
    target: BROWSERS,
    modulePreload: false, // its helper writes markup, which the page's policy of trusted types refuses
    rolldownOptions: {
      input: 'src/start.ts',
      output: { codeSplitting: false, entryFileNames: 'main.js', assetFileNames: 'portal[extname]' },
    },
  },
})
