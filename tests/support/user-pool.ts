import { createIdentity, type IdentityOptions } from '../../gateway/features/identity/identity.ts'
import { systemRandom } from '../../gateway/kernel/ports.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { createLogBook } from './log-book.ts'

/** Secret of all worlds, so that a pool finds the keys in the template of their databases. */
export const SECRET = 'a master secret that only tests know'
export const POOL_ID = 'local_t3stpool'
export const CLIENT_ID = 'test-client'

/** User pool of a world; it sends no email unless configured. */
export const createUserPool = (options: Pick<IdentityOptions, 'db' | 'clock'> & Partial<IdentityOptions>) =>
  createIdentity({
    random: systemRandom,
    log: createLogBook(),
    mail: { isDelivered: false, send: async () => {} },
    secret: SECRET,
    poolId: POOL_ID,
    clientId: CLIENT_ID,
    baseUrl: 'http://gateway.test',
    passwords: cheapPasswords(),
    signUpMode: 'open',
    ...options,
  })
