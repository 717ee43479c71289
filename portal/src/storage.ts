type Kind = 'localStorage' | 'sessionStorage'

/** What the browser keeps under that name, or nothing: a frame of another site may be denied storage, as may anyone. */
export function stored(name: string, kind: Kind = 'localStorage'): string {
  try {
    return window[kind].getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Keeps a text in the browser, or nothing in its place; where that is denied, it lasts as long as the page. */
export function store(name: string, text: string, kind: Kind = 'localStorage'): void {
  try {
    if (text) window[kind].setItem(name, text)
    else window[kind].removeItem(name)
  } catch {
    return
  }
}
