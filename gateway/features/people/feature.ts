import type { Deps, Feature } from '../../deps.ts'
import { companyHandlers } from './company.ts'
import { departmentHandlers } from './department.ts'
import { createForeignAddresses } from './foreign-address.ts'
import type { PeoplePorts } from './ports.ts'
import { peopleHandlers } from './user-lists.ts'
import { userHandlers } from './user.ts'

/** The company, its departments and the people who may sign in. */
export const people = (deps: Deps, ports: PeoplePorts) =>
  ({
    handlers: {
      user: userHandlers({ ...deps, ...ports, meetForeign: createForeignAddresses(deps) }),
      people: peopleHandlers(deps),
      department: departmentHandlers,
      company: companyHandlers,
    },
  }) satisfies Feature
