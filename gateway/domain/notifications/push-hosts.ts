import { isIP } from 'node:net'

/** Where the browsers' own makers run push services. */
const SERVICES = 'fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com'

interface PushHost {
  protocol: 'https:' | 'http:'
  /** Whole, or with what comes before it left open. */
  host: string
  isSuffix: boolean
  port: string
}

const ENTRY = /^(?:(http):\/\/)?(\*\.)?([a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::(\d{1,5}))?$/i

/**
 * Reads a list of hosts of push services, separated by commas: `push.example.com`, `*.example.com`, `push.example.com:8443`, and
 * for a service on this machine alone `http://localhost:9000`.
 *
 * errors  TypeError naming the entry that is none of these
 */
export function readPushHosts(list: string): PushHost[] {
  return list.split(',').map((entry) => {
    const [matched, http, wild, name = '', port = ''] = ENTRY.exec(entry.trim()) ?? []
    const host = name.toLowerCase()
    const isFine =
      matched !== undefined &&
      isIP(host) === 0 &&
      (http ? host === 'localhost' && !wild : host.includes('.') || port)
    if (!isFine) throw new TypeError(`${entry.trim()} is no host of a push service`)
    return {
      protocol: http ? 'http:' : 'https:',
      host: wild ? `.${host}` : host,
      isSuffix: wild !== undefined,
      port: port === (http ? '80' : '443') ? '' : port,
    }
  })
}

/**
 * Which endpoints of subscriptions the gateway sends to. Browsers name them, so they are the addresses of known push services
 * only: https, no credentials, no address in numbers, port 443 unless the list says another.
 *
 * more  further hosts, as `readPushHosts` takes them
 */
export function createIsPushEndpoint(more?: string): (endpoint: string) => boolean {
  const hosts = readPushHosts(more ? `${SERVICES},${more}` : SERVICES)
  return (endpoint) => {
    if (!URL.canParse(endpoint)) return false
    const { protocol, hostname, port, username, password } = new URL(endpoint)
    if (username !== '' || password !== '') return false
    return hosts.some(
      (known) =>
        known.protocol === protocol &&
        known.port === port &&
        (known.isSuffix ? hostname.endsWith(known.host) : hostname === known.host),
    )
  }
}
