import type { JWK } from 'jose'
import type { Actor } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { createActors, type AuthenticationProof, createAuthenticate } from './actors.ts'
import { setInitialized } from './people.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { createTokenVerifier } from './tokens.ts'

export interface OutsidePoolOptions {
  db: Db
  clock: Clock
  log: Log
  /** e.g. ap-northeast-1_AbCdEfGhI */
  poolId: string
  clientId: string
  /** Empty for an installation without cloud credentials. */
  identityPoolId?: string
  /** For pools at another address than Amazon's public one. */
  issuer?: string
}

/** Issuer of a pool at Amazon; its region is the first part of the id. */
export const cognitoIssuer = (poolId: string): string =>
  `https://cognito-idp.${poolId.split('_')[0]}.amazonaws.com/${poolId}`

/**
 * Amazon Cognito pool in place of the built-in one.
 *
 * That pool manages passwords, codes, sign-up and sessions: here such calls fail with CONFLICT, or do nothing. People are found by
 * the pool's subject or verified address. If no company exists, the first person to sign in becomes the owner of one.
 */
export function createOutsidePool(options: OutsidePoolOptions): Identity & { issuer: string } {
  const { db, clock, log, poolId, clientId } = options
  const issuer = options.issuer ?? cognitoIssuer(poolId)
  const identityPoolId = options.identityPoolId ?? ''
  const keys = new URL(`${issuer}/.well-known/jwks.json`)
  const verifier = createTokenVerifier({ issuer, audience: clientId, clock, keys })
  const actors = createActors({ db, clock, ownPool: false })
  /** Whether a company exists; then sign-ins of strangers take no lock. */
  let founded = false

  async function loadActor(sub: string, proof: AuthenticationProof = {}): Promise<Actor | undefined> {
    const actor = await actors.load(sub, proof)
    if (actor || !proof.email || !(await foundCompany(sub, proof.email))) return actor
    actors.purge(sub)
    return actors.load(sub, proof)
  }

  /** True if this person has just become the owner of the first company. */
  async function foundCompany(sub: string, email: string): Promise<boolean> {
    if (founded) return false
    const company = await db.query(sql`select from companies limit 1`)
    if (company.length) founded = true
    return founded ? false : foundFirst(sub, email)
  }

  /** Serialises concurrent first sign-ins; the first one founds the company. */
  async function foundFirst(sub: string, email: string): Promise<boolean> {
    return db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('first company'))`)
      const inserted = await tx.query(sql`
        insert into companies (tenant, company_name, created_at)
        select ${sub}::uuid, ${email}, ${clock.now()}::bigint where not exists (select from companies) returning 1 as one`)
      if (!inserted.length) return false
      await tx.query(sql`
        insert into users (tenant, cognito_id, email, created_at)
        values (${sub}::uuid, ${sub}::uuid, ${email.toLowerCase()}, ${clock.now()})`)
      log.info({ cognitoId: sub }, 'first user of the user pool became owner')
      return true
    })
  }

  return {
    poolId,
    issuer,
    loadActor,
    authenticate: createAuthenticate(verifier, loadActor),
    purge: actors.purge,
    webConfig: async () => ({
      UserPoolId: poolId,
      UserPoolClientId: clientId,
      ...(identityPoolId && { IdentityPoolId: identityPoolId }),
    }),

    handlePool: async () => ({
      status: 400,
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amzn-errortype': 'ResourceNotFoundException',
      },
      body: JSON.stringify({ __type: 'ResourceNotFoundException', message: `The user pool is at ${issuer}` }),
    }),
    deviceOf: () => undefined,
    jwks: async () => ({ keys: [] as JWK[] }),
    signUpKey: elsewhere,
    signUp: elsewhere,
    confirmSignUp: elsewhere,
    forgotPassword: elsewhere,
    mailResetLink: elsewhere,
    confirmForgotPassword: elsewhere,
    changePassword: elsewhere,
    createCredentials: async () => {},
    invite: noInvitations,
    readInvitation: noInvitations,
    acceptInvitation: noInvitations,
    endPendingAccess: async () => {},
    async setEnabled(cognitoId, enabled, on = db) {
      await on.query(sql`update users set enabled = ${enabled} where cognito_id = ${cognitoId}::uuid`)
      actors.purge(cognitoId)
    },
    removeCredentials: async (cognitoId) => actors.purge(cognitoId),
    async initializeUser(cognitoId, on = db) {
      return setInitialized(cognitoId, on)
    },
    listSessions: async () => [],
    findSessions: async () => undefined,
    revokeSession: async () => false,
    async revokeAll(cognitoId, on = db) {
      await on.query(
        sql`update users set signed_out_at = ${clock.now()}::bigint where cognito_id = ${cognitoId}::uuid`,
      )
      actors.purge(cognitoId)
    },
    prepare: async () => {},
    prune: async () => {},
    close: async () => {},
  }
}

const elsewhere = async (): Promise<never> => {
  throw new GatewayError(
    'CONFLICT',
    'Accounts and passwords are managed by the user pool of your organisation',
  )
}

const noInvitations = async (): Promise<never> => {
  throw new GatewayError('UNAVAILABLE', 'People are invited in the user pool of your organisation')
}
