import type { ProxyOptions } from 'vite'

/** Paths that the gateway serves by GET; every other GET is a page of the dashboard. */
const GATEWAY_FILES =
  /^\/(GetPersonalConfig|config\.json|openapi\.json|asyncapi\.json|reference|metrics|health\/|images\/|ota-files\/|outbox\/|local_\w+\/)/

/** Proxy of the development server: forwards calls and the realtime channel to the gateway at GATEWAY_URL. */
export function devProxy(
  target = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:8080',
): Record<string, ProxyOptions> {
  return {
    '/mqtt': { target, ws: true },
    '^/': {
      target,
      bypass: ({ method, url = '' }) => (method === 'GET' && !GATEWAY_FILES.test(url) ? url : undefined),
    },
  }
}
