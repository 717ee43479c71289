import type { Answer, Candidate } from '../types.ts'
import { type Answered, type Height, type Hello, isMessage, type Key, PROPERTIES, type Selected } from './messages.ts'

/** The page's side of a frame: takes theme and API key from outside, and tells its height and what is selected. */
export class Frame {
  private origin: string | null = null
  private latest: Answer | null = null

  constructor(private readonly own: Window, useKey: (key: string) => void) {
    own.addEventListener('message', ({ source, origin, data }) => {
      if (source !== own.parent) return
      if (isMessage<Hello>(data, 'hello')) this.greet(origin, data)
      if (isMessage<Key>(data, 'key') && typeof data.key === 'string') useKey(data.key)
    })
  }

  /** Tells of the machine that was chosen. */
  selected(recommendation: Candidate): void {
    this.tell({ plimsoll: 'select', recommendation })
  }

  /** Tells of an answer. */
  answered(answer: Answer): void {
    this.latest = answer
    this.tell({ plimsoll: 'answer', answer })
  }

  private greet(origin: string, { properties }: Hello): void {
    const first = this.origin === null
    this.origin = origin // frame-ancestors let it be here, so it may know
    const root = this.own.document.documentElement
    for (const name of PROPERTIES) {
      const value = properties[name]
      if (typeof value === 'string') root.style.setProperty(name, value)
    }
    if (!first) return
    new ResizeObserver(() => { this.tellHeight() }).observe(this.own.document.body)
    if (this.latest) this.tell({ plimsoll: 'answer', answer: this.latest }) // it came before the greeting
  }

  private tellHeight(): void {
    this.tell({ plimsoll: 'height', pixels: Math.ceil(this.own.document.body.getBoundingClientRect().height) })
  }

  private tell(message: Height | Selected | Answered): void {
    if (this.origin !== null) this.own.parent.postMessage(message, this.origin)
  }
}
