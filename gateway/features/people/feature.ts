import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { departmentHandlers } from './department.ts'
import { createForeignNotice } from './foreign-address.ts'
import { invitationHandlers } from './invitations.ts'
import type { PeoplePorts } from './ports.ts'
import { personDataHandlers } from './person-data.ts'
import { peopleHandlers } from './user-lists.ts'
import { userHandlers } from './user.ts'
import { CompanyProfile, CompanyPublicProfile, type company } from '../../../contract/people/company-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, empty, sql } from '../../kernel/db.ts'

const NO_COMPANY = { LogoName: '', LogoUrl: null }

const companyHandlers: HandlersOf<typeof company> = {
  getCompanyProfile: (_, { db, actor }) => readCompany(db, actor.tenant),

  // If several companies share a gateway, the sign-in page cannot know the company and stays neutral.
  getCompanyPublicProfile: async (_, { db }) => {
    const companies = await db.query<CompanyPublicProfile>(
      sql`select ${columnsOf(CompanyPublicProfile)} from companies limit 2`,
    )
    return companies.length === 1 ? (companies[0] as CompanyPublicProfile) : NO_COMPANY
  },

  updateCompanyProfile: async ({ Seen, ...changes }, context) => {
    const { db, actor } = context
    const before = await readCompany(db, actor.tenant, sql`for no key update`)
    assertUnchanged(Seen, before)
    const after: CompanyProfile = { ...before, ...changes }
    await db.query(sql`update companies set company_name = ${after.CompanyName}, logo_name = ${after.LogoName}
      where tenant = ${actor.tenant}`)
    context.change('company.update', after)
    context.audit({ before, after })
    return after
  },
}

const readCompany = async (db: Db, tenant: string, lock: Sql = empty): Promise<CompanyProfile> => {
  const [profile] = await db.query<CompanyProfile>(
    sql`select ${columnsOf(CompanyProfile)} from companies where tenant = ${tenant} ${lock}`,
  )
  return profile as CompanyProfile
}

/** Company profile, departments, and the people who may sign in. */
export const people = (deps: Deps, ports: PeoplePorts) => {
  const notifyForeign = createForeignNotice(deps)
  return {
    handlers: {
      user: userHandlers({ ...deps, ...ports, notifyForeign }),
      invitations: invitationHandlers(deps),
      people: peopleHandlers(deps),
      personData: personDataHandlers({ ...deps, ...ports }),
      department: departmentHandlers,
      company: companyHandlers,
    },
  } satisfies Feature
}
