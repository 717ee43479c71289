declare module 'redoc/bundles/redoc.standalone.js' {
  export function init(
    contract: object, options: Record<string, unknown>, place: Element | null, shown: () => void,
  ): void
}

/** Of Node, where the page is built. */
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string
}
