import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { pageOf, PageInput, DepartmentID, Email, EmployeeID, Name, Version } from '../kernel/scalars.ts'
import { cardDigits } from './access-pass.ts'

/** Number of an access card: 4 to 32 letters and digits, without separators. */
export const CardNumber = credential(
  z
    .string()
    .max(64, 'tooLong')
    .overwrite(cardDigits)
    .regex(/^[0-9A-Z]{4,32}$/, 'card'),
)

/** Person who may pass doors; need not be a user of the product. Email and card are unique within the company. */
export const Employee = z.object({
  EmployeeID,
  EmployeeName: Name,
  Email,
  CardNumber: CardNumber.nullable(),
  DepartmentID: DepartmentID.nullable(),
  /** Whether card and pass are valid. */
  Active: z.boolean(),
  /** Address of the photo, valid for one to two hours without further credentials; null without a photo. */
  PhotoUrl: z.string().max(512).nullable(),
  Version,
})
export type Employee = z.infer<typeof Employee>

export const EmployeeRow = Employee.extend({ Department: z.string().nullable() })
export type EmployeeRow = z.infer<typeof EmployeeRow>

export const EmployeeKey = Employee.pick({ EmployeeID: true })
export type EmployeeKey = z.infer<typeof EmployeeKey>

export const EMPLOYEE_SORTS = ['EmployeeName', 'Email', 'Department'] as const

/** Filter of employee lists; Search matches name, email, card and department. */
export const EmployeeFilter = z.object({
  Search: z.string().trim().max(100, 'tooLong').default(''),
  Active: z.boolean().optional(),
  DepartmentID: DepartmentID.optional(),
})

const Editable = Employee.omit({ EmployeeID: true, PhotoUrl: true, Version: true })

export const employee = defineResource({
  name: 'employee',
  scope: 'company',
  feature: 'access_control_employee',
  record: Employee,
  key: ['EmployeeID'],
  events: eventsOf(EmployeeKey),
  operations: {
    list: {
      path: '/ListEmployee',
      summary: 'Employees, paged, by default sorted by name.',
      sites: 'company',
      input: EmployeeFilter.extend({
        ...PageInput.shape,
        Sort: z.enum(EMPLOYEE_SORTS).default('EmployeeName'),
        Descending: z.boolean().default(false),
      }),
      results: pageOf(EmployeeRow),
      shows: ['department'],
      freshFor: 0,
    },
    get: {
      path: '/GetEmployee',
      summary: 'One employee.',
      sites: 'company',
      input: EmployeeKey,
      results: EmployeeRow,
      errors: ['NOT_FOUND'],
      shows: ['department'],
      freshFor: 0,
    },
    create: {
      path: '/CreateEmployee',
      summary: 'Adds an employee, who has access to every scanner that is open to all.',
      sites: 'company',
      input: Editable.partial({ CardNumber: true, DepartmentID: true, Active: true }),
      results: EmployeeRow,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    update: {
      path: '/UpdateEmployee',
      summary:
        'Changes an employee; omitted fields keep their values. Rejected if Version is given and outdated.',
      sites: 'company',
      input: EmployeeKey.extend(Editable.partial().shape).extend({ Version: Version.optional() }),
      results: EmployeeRow,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/RemoveEmployee',
      summary: 'Deletes an employee; card and pass are revoked at once.',
      sites: 'company',
      input: EmployeeKey,
      results: EmployeeKey,
      errors: ['NOT_FOUND'],
    },
  },
})
