/** The application around the web view that the page is in. */
export interface NativeHost {
  postMessage(message: string): void
}

/** What the two systems put into the page. */
interface Injected {
  /** WebKit's WKScriptMessageHandler, on iOS. */
  webkit?: { messageHandlers?: { dashboard?: { postMessage(message: unknown): void } } }
  /** Of WebViewCompat.addWebMessageListener, on Android; of addJavascriptInterface it cannot be listened to. */
  DashboardBridge?: NativeHost & Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
}

const injected = () => globalThis as Injected

/** The native side; undefined in an ordinary browser. */
export function nativeHost(): NativeHost | undefined {
  const { webkit, DashboardBridge } = injected()
  const ios = webkit?.messageHandlers?.dashboard
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- WebKit's handler, not a window's
  return ios ? { postMessage: (message) => ios.postMessage(message) } : DashboardBridge
}

/** Hears what the native side says: to the window, or on Android also to its own object. Returns how to stop. */
export function listenToHost(listen: (event: MessageEvent) => void): () => void {
  const bridge = injected().DashboardBridge
  const own = bridge?.addEventListener ? bridge : undefined
  addEventListener('message', listen)
  own?.addEventListener?.('message', listen as EventListener)
  return () => {
    removeEventListener('message', listen)
    own?.removeEventListener?.('message', listen as EventListener)
  }
}
