import { updateGatewayClock } from '../lib/gateway-clock.ts'

/** Accounts of a demo, with their common password. */
export interface DemoSignIn {
  Emails: string[]
  Password: string
}

/** Configuration that the gateway serves to every browser: public identifiers and keys only. */
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
  /** Sign-up of companies: open to anyone, or only by invitation; absent if accounts are managed elsewhere. */
  SignUp?: 'open' | 'invitation'
  /** Whether users are invited by a link; absent if accounts are managed elsewhere. */
  Invites?: boolean
  /** Whether the gateway can send email, so that a password can be reset by a link. */
  MailGoesOut?: boolean
  /** Facts of the demo company, which has a tour; absent from any other installation. */
  Demo?: { ClockAheadMs: number; SignIn?: DemoSignIn }
  /** Public key for push subscriptions: an uncompressed P-256 point, base64url. */
  WebPushKey?: string
  /** MQTT address of hubs; without a host, the host of this page. */
  Hub?: { host?: string; port: number; tls: boolean }
}

let loading: Promise<WebConfig> | undefined

/** Fetches the gateway's configuration once; after a failure the next caller tries again. */
export function webConfig(): Promise<WebConfig> {
  const askedAt = Date.now()
  loading ??= fetch('/config.json', { headers: { accept: 'application/json' } })
    .then((response) => {
      updateGatewayClock(response.headers.get('date'), askedAt)
      if (!response.ok) throw new Error(`config.json: HTTP ${response.status}`)
      return response.json() as Promise<WebConfig>
    })
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}
