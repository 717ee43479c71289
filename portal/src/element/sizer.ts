import { type Answered, type Height, type Hello, isMessage, type Key, PROPERTIES, type Selected } from './messages.ts'

const OWN_ATTRIBUTES = ['class', 'id', 'style', 'slot', 'src', 'title']
const LEAST_HEIGHT = 240 // the question and the choice
const MOST_HEIGHT = 420 // what is longer scrolls inside

/** Where this script came from, which is the service that the element asks unless `src` names another. */
const home = new URL((document.currentScript as HTMLScriptElement | null)?.src ?? location.href).origin

/**
 * `<plimsoll-sizer task="training" model="resnet50">`: the page in a frame. Attributes are the API's query parameters
 * with hyphens for underscores, and `lang`, `theme` (light, dark) and `src` (the service's origin). Each answer comes
 * as an `answer` event, each machine that is chosen as a `select` event, with it as their `detail`. The property
 * `apiKey` takes a key, which no attribute does: attributes stand in the page's address.
 */
class PlimsollSizer extends HTMLElement {
  private readonly frame = document.createElement('iframe')
  private key = ''
  private loaded = false
  private readonly observer = new MutationObserver(() => { this.load() })
  private readonly heard = (event: MessageEvent): void => { this.hear(event) }

  /** The API key that the page asks with. */
  set apiKey(key: string) {
    this.key = key
    this.tellKey()
  }

  connectedCallback(): void {
    this.takeEarlyKey()
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    for (const [name, value] of [['display', 'block'], ['width', '100%'], ['border', '0'], ['height', `${LEAST_HEIGHT}px`]] as const) {
      this.frame.style.setProperty(name, value)
    }
    if (!this.style.display) this.style.setProperty('display', 'block')
    this.frame.title = this.title || 'Plimsoll'
    this.frame.addEventListener('load', () => { this.greet() })
    addEventListener('message', this.heard)
    this.observer.observe(this, { attributes: true })
    this.load() // before the frame is in place, which would begin with an empty page otherwise
    root.replaceChildren(this.frame)
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.heard)
    this.observer.disconnect()
  }

  private get origin(): string {
    return new URL(this.getAttribute('src') ?? home, location.href).origin
  }

  /** A key that was set before this class was known stands in the setter's way. */
  private takeEarlyKey(): void {
    const early: unknown = Object.getOwnPropertyDescriptor(this, 'apiKey')?.value
    if (typeof early !== 'string') return
    Reflect.deleteProperty(this, 'apiKey')
    this.key = early
  }

  private tellKey(): void {
    const message: Key = { plimsoll: 'key', key: this.key }
    if (this.key && this.loaded) this.frame.contentWindow?.postMessage(message, this.origin)
  }

  private load(): void {
    const query = new URLSearchParams()
    for (const { name, value } of this.attributes) {
      if (!OWN_ATTRIBUTES.includes(name)) query.set(name.replaceAll('-', '_'), value)
    }
    const address = `${this.origin}/embed?${query}`
    if (this.frame.src === address) return
    this.loaded = false
    this.frame.src = address
  }

  private greet(): void {
    this.loaded = true
    const style = getComputedStyle(this)
    const set = PROPERTIES.map((name) => [name, style.getPropertyValue(name).trim()] as const)
    const hello: Hello = { plimsoll: 'hello', properties: Object.fromEntries(set.filter(([, value]) => value)) }
    this.frame.contentWindow?.postMessage(hello, this.origin)
    this.tellKey()
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  private hear({ source, origin, data }: MessageEvent): void {
    if (source !== this.frame.contentWindow || origin !== this.origin) return
    if (isMessage<Height>(data, 'height')) {
      this.frame.style.setProperty('height', `${Math.min(Math.max(data.pixels, LEAST_HEIGHT), MOST_HEIGHT)}px`)
    } else if (isMessage<Selected>(data, 'select')) this.tell('select', data.recommendation)
    else if (isMessage<Answered>(data, 'answer')) this.tell('answer', data.answer)
  }
}

if (!customElements.get('plimsoll-sizer')) customElements.define('plimsoll-sizer', PlimsollSizer)
