/** Connection to the application around the page's web view. */
export interface NativeHost {
  post(message: string): void
}

/** Receiver of messages on both systems. */
interface Handler {
  postMessage(message: string): void
}

/** Objects that the two systems inject into the page. */
interface Injected {
  /** WebKit's WKScriptMessageHandler, on iOS. */
  webkit?: { messageHandlers?: { dashboard?: Handler } }
  /** WebViewCompat.addWebMessageListener, on Android; an object of addJavascriptInterface has no listeners. */
  DashboardBridge?: Handler & Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
}

const injected = () => globalThis as Injected

/** The native application; undefined in an ordinary browser. */
export function nativeHost(): NativeHost | undefined {
  const { webkit, DashboardBridge } = injected()
  const handler = webkit?.messageHandlers?.dashboard ?? DashboardBridge
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the handler of a system, not of a window
  return handler && { post: (message) => handler.postMessage(message) }
}

/**
 * Listens to messages of the native application, sent to the window or, on Android, also to its own object. Returns a function that stops
 * this.
 */
export function listenToHost(listen: (event: MessageEvent) => void): () => void {
  const bridge = injected().DashboardBridge
  const ownBridge = bridge?.addEventListener ? bridge : undefined
  addEventListener('message', listen)
  ownBridge?.addEventListener?.('message', listen as EventListener)
  return () => {
    removeEventListener('message', listen)
    ownBridge?.removeEventListener?.('message', listen as EventListener)
  }
}
