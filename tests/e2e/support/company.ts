import { randomInt, randomUUID } from 'node:crypto'
import { session } from '../../../contract/people/session-calls.ts'
import { home } from '../../../contract/homes/home.ts'
import { user, type User } from '../../../contract/people/user.ts'
import { connectApi, type Call } from '../../../scripts/api.ts'
import { DEMO_PASSWORD } from '../../../scripts/demo-company.ts'
import type { Product } from './product.ts'

const INITIAL_PASSWORD = 'first-passw0rd'
export const ZONE = 'Asia/Taipei'

/** Company with only its owner. */
export interface Company {
  product: Product
  email: string
  /** Calls in the owner's name. */
  owner: Call
}

/** Unused address: companies share a product, and a retry finds the data of the first attempt. */
export const newEmail = (name: string): string => `${name}-${randomUUID().slice(0, 8)}@example.com`

/** Signs up a company from an IP address of its own, because sign-ups per address are limited. */
export async function foundCompany(product: Product): Promise<Company> {
  const email = newEmail('owner')
  const address = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
  const otherApi = await connectApi(product.url, { 'x-forwarded-for': address })
  await otherApi.signUp({ Email: email, FirstName: '測試', LastName: '擁有者', Password: DEMO_PASSWORD })
  const owner = await product.api.signIn(email, DEMO_PASSWORD)
  await owner(session.initializeUser, {})
  return { product, email, owner }
}

export async function addHome({ owner }: Pick<Company, 'owner'>, HomeName = '測試場域'): Promise<string> {
  const { HomeID } = await owner(home.operations.create, { HomeName, TimeZone: ZONE })
  return HomeID
}

/** Adds a person with an account and an already chosen password. */
export async function hire(
  { product, owner }: Pick<Company, 'product' | 'owner'>,
  FirstName: string,
  Permissions: User['Permissions'],
): Promise<User> {
  const Email = newEmail('person')
  const added = await owner(user.operations.create, {
    Email,
    FirstName,
    LastName: '',
    password: INITIAL_PASSWORD,
    Permissions,
  })
  const call = await product.api.signIn(Email, DEMO_PASSWORD, INITIAL_PASSWORD)
  await call(session.initializeUser, {})
  return added
}
