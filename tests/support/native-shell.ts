/**
 * Application around the web view, as seen from within the page: a test or the developer's page installs it before the page's own scripts
 * run. It is one function without outside references, because browsers receive it as text.
 */

/** Message that the page posted. */
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
  /** Response of the application to the page's hello; null for an application that does not support hello. */
  hello?: { Version: number; Can: string[] } | null
  /** Delay of the application's responses, in ms. */
  delay?: number
}

/** Control of the simulated application by a test. */
export interface NativeShell {
  /** Messages posted by the page, oldest first. */
  posted: Posted[]
  /** Receives each message of the page. */
  onPosted: ((message: Posted) => void) | undefined
  /** Sends a message as the system does: in the page's window, or on Android to the injected object. */
  send(message: unknown): void
  /** Sends raw text, e.g. invalid JSON. */
  sendText(text: string): void
  /** Sends a message from a page of another origin. */
  sendFrom(origin: string, message: unknown): void
}

export function installNativeShell({ system, hello, delay = 0 }: ShellOptions): NativeShell {
  const page = globalThis as typeof globalThis & {
    webkit?: unknown
    DashboardBridge?: unknown
    nativeShell?: NativeShell
  }
  const bridge = new EventTarget()
  const onMessage = (event: MessageEvent) => (system === 'android' ? bridge : page).dispatchEvent(event)
  const schedule = (work: () => void) => (delay > 0 ? setTimeout(work, delay) : queueMicrotask(work))
  const shell: NativeShell = {
    posted: [],
    onPosted: undefined,
    send: (message) => shell.sendText(JSON.stringify(message)),
    // Messages injected by a web view have the page's origin on iOS, and none on Android.
    sendText: (data) =>
      schedule(() => {
        const origin = system === 'ios' ? location.origin : ''
        onMessage(new MessageEvent('message', { data, origin }))
      }),
    sendFrom: (origin, message) =>
      schedule(() =>
        page.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message), origin })),
      ),
  }
  const postMessage = (text: unknown) => {
    const message = JSON.parse(String(text)) as Posted
    shell.posted.push(message)
    shell.onPosted?.(message)
    if (message.type === 'hello' && hello !== null)
      shell.send({ type: 'hello', payload: hello ?? { Version: 1, Can: ['push'] } })
  }
  if (system === 'ios') page.webkit = { messageHandlers: { dashboard: { postMessage } } }
  else page.DashboardBridge = Object.assign(bridge, { postMessage })
  page.nativeShell = shell
  return shell
}
