import type { Department } from '../../../contract/people/department.ts'
import { useMay } from '../../data/session.ts'
import { useRecords } from '../../record-kit/use-records.ts'

const NONE: readonly Department[] = []

/** The company's departments, kept current; none while loading, and for who may not see them. */
export const useDepartments = (): readonly Department[] =>
  useRecords('department', { enabled: useMay('user', 'Read') }).rows ?? NONE
