/**
 * An application around the web view, as it looks from within the page: what a test or the developer's page puts there before
 * the page's own scripts run. All in one function that names nothing outside of itself, because browsers take it as text.
 */

/** One message that the page posted. */
export interface Posted {
  id?: string | number
  type: string
  payload?: unknown
  success?: boolean
  result?: unknown
  error?: { Code: string }
}

export interface ShellOptions {
  system: 'ios' | 'android'
  /** What the application answers to the page's hello; null for one that is older than hello. */
  hello?: { Version: number; Can: string[] } | null
  /** How long after it is asked to speak the application does, in ms. */
  delay?: number
}

/** How a test plays the application. */
export interface NativeShell {
  /** What the page posted, oldest first. */
  posted: Posted[]
  /** Is told of each message of the page. */
  onPosted: ((message: Posted) => void) | undefined
  /** Says a message as the system does: in the page's window, or on Android to the injected object. */
  say(message: unknown): void
  /** Says a text as it is, e.g. one that is no JSON. */
  sayText(text: string): void
  /** What only a page of another origin can do. */
  sayFrom(origin: string, message: unknown): void
}

export function installNativeShell({ system, hello, delay = 0 }: ShellOptions): NativeShell {
  const page = globalThis as typeof globalThis & {
    webkit?: unknown
    DashboardBridge?: unknown
    nativeShell?: NativeShell
  }
  const bridge = new EventTarget()
  const hear = (event: MessageEvent) => (system === 'android' ? bridge : page).dispatchEvent(event)
  const soon = (work: () => void) => (delay > 0 ? setTimeout(work, delay) : queueMicrotask(work))
  const shell: NativeShell = {
    posted: [],
    onPosted: undefined,
    say: (message) => shell.sayText(JSON.stringify(message)),
    // Of what a web view injects the origin is the page's on iOS, and none on Android.
    sayText: (data) =>
      soon(() => {
        const origin = system === 'ios' ? location.origin : ''
        hear(new MessageEvent('message', { data, origin }))
      }),
    sayFrom: (origin, message) =>
      soon(() => page.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message), origin }))),
  }
  const postMessage = (text: unknown) => {
    const message = JSON.parse(String(text)) as Posted
    shell.posted.push(message)
    shell.onPosted?.(message)
    if (message.type === 'hello' && hello !== null)
      shell.say({ type: 'hello', payload: hello ?? { Version: 1, Can: ['push'] } })
  }
  if (system === 'ios') page.webkit = { messageHandlers: { dashboard: { postMessage } } }
  else page.DashboardBridge = Object.assign(bridge, { postMessage })
  page.nativeShell = shell
  return shell
}
