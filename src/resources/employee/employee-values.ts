import type { EmployeeRow } from '../../../contract/resources/employee.ts'

/** What the calls are told of a form's values; an empty card or department is none. */
export const toEmployee = (values: Record<string, unknown>) => ({
  EmployeeName: values['EmployeeName'] as string,
  Email: values['Email'] as string,
  CardNumber: (values['CardNumber'] as string | undefined) || null,
  ...('DepartmentID' in values && { DepartmentID: (values['DepartmentID'] as string | undefined) ?? null }),
  Active: values['Active'] === true,
})

export const fromEmployee = ({ EmployeeName, Email, CardNumber, DepartmentID, Active }: EmployeeRow) => ({
  EmployeeName,
  Email,
  CardNumber,
  DepartmentID,
  Active,
})
