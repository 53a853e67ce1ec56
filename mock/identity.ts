import { PERMISSION_TEMPLATES } from '../contract/people/permission-templates.ts'
import { session, type Me } from '../contract/people/session-calls.ts'
import { home } from '../contract/homes/home.ts'
import type { PermissionSubject } from '../contract/kernel/permissions.ts'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import type { RecordedCall } from './recording.ts'
import type { Switches } from './switches.ts'

const CLIENT = 'recorded'
const POOL = '/cognito'
const PREFIX = `CognitoIdentityServiceProvider.${CLIENT}`
/** Lifetime of tokens in seconds, longer than any session with the mock. */
const TOKEN_TTL_SECONDS = 30 * 86_400

const another = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`

export type Identity = ReturnType<typeof createIdentity>

/** The signed-in user without a user pool: unsigned tokens, and the permissions of the chosen role. */
export function createIdentity(calls: readonly RecordedCall[], { as, forbid }: Switches, now: () => number) {
  const owner = calls.find(({ Path }) => Path === session.getPersonalPermissions.path)?.Results as Me
  const isRoot = as === 'owner' && !forbid
  const permissions =
    as === 'owner' ? PERMISSION_TEMPLATES.facilityManager.concat(owner.Permissions) : undefined
  const Permissions = (permissions ?? PERMISSION_TEMPLATES[as as 'operator' | 'viewer']).map((one) => ({
    ...one,
    OperationList: one.OperationList.filter(
      (operation) => one.FeatureKey !== forbid?.feature || operation !== forbid.operation,
    ),
  }))
  const me: Me = isRoot ? owner : { ...owner, CognitoId: another(owner.CognitoId), Permissions }

  const token = (use: 'id' | 'access') => {
    const at = Math.floor(now() / 1000)
    const claims = {
      sub: me.CognitoId,
      email: me.Email,
      email_verified: true,
      given_name: me.FirstName,
      family_name: me.LastName,
      token_use: use,
      client_id: CLIENT,
      aud: CLIENT,
      'custom:tenant_id': me.RootCognitoId,
      'custom:identity_id': me.CognitoId,
      'custom:initialized_user': 'true',
      iat: at,
      auth_time: at,
      exp: at + TOKEN_TTL_SECONDS,
    }
    const part = (value: object) =>
      btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
        .replace(/\+/g, '-')
        .replace(/\//g, '_')
        .replace(/=+$/, '')
    return `${part({ alg: 'none' })}.${part(claims)}.unsigned`
  }

  return {
    me,
    rootId: me.RootCognitoId,
    subject: (): PermissionSubject => ({ isRoot, permissions: me.Permissions }),
    pool: POOL,
    config: {
      UserPoolId: 'local_recorded',
      UserPoolClientId: CLIENT,
      UserPoolEndpoint: POOL,
      ApiKey: 'recorded',
      SignUpKey: {},
    },
    /** Answer of the user pool to any user and password. */
    signIn: () => ({
      AuthenticationResult: {
        AccessToken: token('access'),
        IdToken: token('id'),
        RefreshToken: 'recorded',
        ExpiresIn: TOKEN_TTL_SECONDS,
        TokenType: 'Bearer',
      },
      ChallengeParameters: {},
    }),
    /** Browser storage after a sign-in, so that the page opens signed in. */
    stored: (): Record<string, string> => ({
      [`${PREFIX}.LastAuthUser`]: me.Email,
      [`${PREFIX}.${me.Email}.idToken`]: token('id'),
      [`${PREFIX}.${me.Email}.accessToken`]: token('access'),
      [`${PREFIX}.${me.Email}.refreshToken`]: 'recorded',
      [`${PREFIX}.${me.Email}.clockDrift`]: '0',
    }),
    /** Paths of the calls that every page needs; they succeed when all others fail, to show how screens handle errors. */
    opening: new Set(
      [session.getPersonalPermissions, session.connectRealtime, home.operations.list].map(({ path }) => path),
    ) as ReadonlySet<string>,
    /** Calls about the user and the session, not about records. */
    own: new Map<AnyEndpoint, (input: Record<string, unknown>) => unknown>([
      [session.getPersonalPermissions, () => me],
      [session.initializeUser, () => me],
      [
        session.connectRealtime,
        () => ({
          Url: '/mqtt',
          ClientID: `${me.CognitoId}${now()}`,
          Username: 'recorded',
          Password: 'recorded',
          ExpiresAt: now() + TOKEN_TTL_SECONDS * 1000,
          Now: now(),
        }),
      ],
    ]),
  }
}
