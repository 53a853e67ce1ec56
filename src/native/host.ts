/** The application around the web view that the page is in. */
export interface NativeHost {
  post(message: string): void
}

/** What takes a message on either system. */
interface Handler {
  postMessage(message: string): void
}

/** What the two systems put into the page. */
interface Injected {
  /** WebKit's WKScriptMessageHandler, on iOS. */
  webkit?: { messageHandlers?: { dashboard?: Handler } }
  /** Of WebViewCompat.addWebMessageListener, on Android; of addJavascriptInterface it cannot be listened to. */
  DashboardBridge?: Handler & Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
}

const injected = () => globalThis as Injected

/** The native side; undefined in an ordinary browser. */
export function nativeHost(): NativeHost | undefined {
  const { webkit, DashboardBridge } = injected()
  const handler = webkit?.messageHandlers?.dashboard ?? DashboardBridge
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a system's handler, not a window's
  return handler && { post: (message) => handler.postMessage(message) }
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
