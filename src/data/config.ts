/** What the gateway tells every browser: public identifiers and keys only. */
export interface WebConfig {
  UserPoolId: string
  UserPoolClientId: string
  UserPoolEndpoint: string
  IdentityPoolId?: string
  IdentityPoolEndpoint?: string
  /** Sent as x-api-key to the public auth API (§7). */
  ApiKey: string
  /** Public key (JWK) that a sign-up password is encrypted to. */
  SignUpKey: Record<string, unknown>
  /** Whether anybody may sign a company up, or whoever is invited; absent where accounts are made elsewhere. */
  SignUp?: 'open' | 'invitation'
  /** People are invited by a link; absent where accounts are made elsewhere. */
  Invites?: boolean
  /** Mails reach people, so that a password is reset by a link. */
  MailGoesOut?: boolean
  /** It shows the demo's company, of which there is a tour. */
  Demo?: boolean
  /** To which browsers subscribe for push messages: an uncompressed P-256 point, base64url. */
  WebPushKey?: string
  /** Where hubs connect; without a host, the one this page came from. */
  Hub?: { host?: string; port: number; tls: boolean }
}

let loading: Promise<WebConfig> | undefined

/** The gateway's configuration, fetched once; a failed fetch is tried again by the next caller. */
export function webConfig(): Promise<WebConfig> {
  loading ??= fetch('/config.json', { headers: { accept: 'application/json' } })
    .then((response) => {
      if (!response.ok) throw new Error(`config.json: HTTP ${response.status}`)
      return response.json() as Promise<WebConfig>
    })
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}
