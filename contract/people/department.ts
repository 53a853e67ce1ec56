import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { DepartmentID, Name } from '../kernel/scalars.ts'

export const Department = z.object({ DepartmentID, Department: Name })
export type Department = z.infer<typeof Department>

export const DepartmentKey = Department.pick({ DepartmentID: true })

export const department = defineResource({
  name: 'department',
  scope: 'company',
  feature: 'user',
  record: Department,
  key: ['DepartmentID'],
  events: eventsOf(DepartmentKey, Department),
  operations: {
    list: {
      path: '/ListDepartment',
      summary: "The company's departments by name.",
      sites: 'company',
      input: z.object({}),
      results: z.array(Department),
    },
    create: {
      path: '/CreateDepartment',
      summary: 'Adds a department.',
      sites: 'company',
      input: Department.omit({ DepartmentID: true }),
      results: Department,
      errors: ['CONFLICT'],
    },
    update: {
      path: '/UpdateDepartmentInfo',
      summary: 'Renames a department. Rejected if its name differs from Seen.',
      sites: 'company',
      input: Department.extend({ Seen: Department.pick({ Department: true }).partial().optional() }),
      results: Department,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteDepartment',
      summary: 'Deletes a department without members.',
      sites: 'company',
      input: DepartmentKey,
      results: DepartmentKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
