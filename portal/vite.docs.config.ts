import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
import { BROWSERS, PACKAGE_FILES } from './vite.config.ts'

const licences = ['LICENSE', 'bundles/redoc.standalone.js.LICENSE.txt'].map(name => `node_modules/redoc/${name}`)

/** The API reference at /docs: Redoc in one module, and docs.txt with its licence and those of what it bundles. */
export default defineConfig({
  base: './',
  publicDir: false,
  resolve: { alias: { null: 'data:text/javascript,' } }, // what its own build leaves of a module of Node's
  plugins: [{
    name: 'redoc',
    transform: code => code
      .replace('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,') // no other origin is asked
      .replace(/"aria-label":\w+\.sidebarLabel,/, '') // it would hide the method from screen readers
      .replace('{onClick:this.toggleNavMenu}', '{onClick:this.toggleNavMenu,as:"button","aria-label":"Menu"}'),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'docs.txt', source: licences.map(path => readFileSync(path, 'utf8')).join('\n') })
    },
  }],
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
