import { useList, type BaseRecord, type HttpError } from '@refinedev/core'
import { department, type Department } from '../../../contract/resources/department.ts'

/** The company's departments, kept current; none while loading. */
export const useDepartments = (): readonly Department[] =>
  useList<Department & BaseRecord, HttpError>({
    resource: department.name,
    pagination: { mode: 'off' },
    liveMode: 'auto',
    errorNotification: false,
  }).result.data
