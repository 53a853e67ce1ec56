import { isIP } from 'node:net'

/** Push services of the browser vendors. */
const SERVICES = 'fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com'

interface PushHost {
  protocol: 'https:' | 'http:'
  /** Complete host name, or suffix if `isSuffix`. */
  host: string
  isSuffix: boolean
  port: string
}

const ENTRY = /^(?:(http):\/\/)?(\*\.)?([a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::(\d{1,5}))?$/i

/**
 * Parses a comma-separated list of push service hosts: `push.example.com`, `*.example.com`, `push.example.com:8443`, and for a local
 * service `http://localhost:9000`.
 *
 * errors  TypeError naming the invalid entry
 */
export function readPushHosts(list: string): PushHost[] {
  return list.split(',').map((entry) => {
    const [matched, http, wildcard, name = '', port = ''] = ENTRY.exec(entry.trim()) ?? []
    const host = name.toLowerCase()
    const isFine =
      matched !== undefined &&
      isIP(host) === 0 &&
      (http ? host === 'localhost' && !wildcard : host.includes('.') || port)
    if (!isFine) throw new TypeError(`${entry.trim()} is no host of a push service`)
    return {
      protocol: http ? 'http:' : 'https:',
      host: wildcard ? `.${host}` : host,
      isSuffix: wildcard !== undefined,
      port: port === (http ? '80' : '443') ? '' : port,
    }
  })
}

/**
 * Creates a check of subscription endpoints. Browsers provide them, so only known push services are allowed: https, no credentials, no IP
 * address, port 443 unless the list specifies another.
 *
 * extraHosts  additional hosts, in the format of `readPushHosts`
 */
export function createIsPushEndpoint(extraHosts?: string): (endpoint: string) => boolean {
  const hosts = readPushHosts(extraHosts ? `${SERVICES},${extraHosts}` : SERVICES)
  return (endpoint) => {
    if (!URL.canParse(endpoint)) return false
    const { protocol, hostname, port, username, password } = new URL(endpoint)
    if (username !== '' || password !== '') return false
    return hosts.some(
      (host) =>
        host.protocol === protocol &&
        host.port === port &&
        (host.isSuffix ? hostname.endsWith(host.host) : hostname === host.host),
    )
  }
}
