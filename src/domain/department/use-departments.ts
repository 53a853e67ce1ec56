import { useList, type BaseRecord, type HttpError } from '@refinedev/core'
import { department, type Department } from '../../../contract/resources/department.ts'
import { useMay } from '../../data/session.ts'

/** The company's departments, kept current; none while loading, and for who may not see them. */
export const useDepartments = (): readonly Department[] =>
  useList<Department & BaseRecord, HttpError>({
    resource: department.name,
    pagination: { mode: 'off' },
    errorNotification: false,
    queryOptions: { enabled: useMay('user', 'Read') },
  }).result.data
