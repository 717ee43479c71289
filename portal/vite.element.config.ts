import { defineConfig } from 'vite'
import { BROWSERS, PACKAGE_FILES } from './vite.config.ts'

/** The element that other sites include: one classic script, which a page of any origin may load. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: PACKAGE_FILES,
    emptyOutDir: false,
    target: BROWSERS,
    lib: { entry: 'src/element/sizer.ts', formats: ['iife'], name: 'plimsollSizer', fileName: () => 'plimsoll-sizer.js' },
  },
})
