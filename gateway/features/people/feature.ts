import type { Deps, Feature } from '../../kernel/deps.ts'
import { companyHandlers } from './company.ts'
import { departmentHandlers } from './department.ts'
import { createForeignNotice } from './foreign-address.ts'
import { invitationHandlers } from './invitations.ts'
import type { PeoplePorts } from './ports.ts'
import { personDataHandlers } from './person-data.ts'
import { peopleHandlers } from './user-lists.ts'
import { userHandlers } from './user.ts'

/** The company, its departments and the people who may sign in. */
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
