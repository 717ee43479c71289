import type { Recommendation } from '../types.ts'
import { type Height, type Hello, isMessage, type Key, PROPERTIES, type Selected } from './messages.ts'

/** The page's side of a frame: takes theme and API key from outside, and tells its height and what is selected. */
export class Frame {
  private origin: string | null = null

  constructor(private readonly own: Window, useKey: (key: string) => void) {
    own.addEventListener('message', ({ source, origin, data }) => {
      if (source !== own.parent) return
      if (isMessage<Hello>(data, 'hello')) this.greet(origin, data)
      if (isMessage<Key>(data, 'key') && typeof data.key === 'string') useKey(data.key)
    })
  }

  /** Tells of the recommendation that was opened. */
  selected(recommendation: Recommendation): void {
    this.tell({ plimsoll: 'select', recommendation })
  }

  private greet(origin: string, { properties }: Hello): void {
    const first = this.origin === null
    this.origin = origin // frame-ancestors let it be here, so it may know
    const root = this.own.document.documentElement
    for (const name of PROPERTIES) {
      const value = properties[name]
      if (typeof value === 'string') root.style.setProperty(name, value)
    }
    if (first) new ResizeObserver(() => { this.tellHeight() }).observe(this.own.document.body)
  }

  private tellHeight(): void {
    this.tell({ plimsoll: 'height', pixels: Math.ceil(this.own.document.body.getBoundingClientRect().height) })
  }

  private tell(message: Height | Selected): void {
    if (this.origin !== null) this.own.parent.postMessage(message, this.origin)
  }
}
