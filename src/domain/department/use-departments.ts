import type { Department } from '../../../contract/people/department.ts'
import { useMay } from '../../data/session.ts'
import { useRecords } from '../../record-kit/use-records.ts'

const NONE: readonly Department[] = []

/** The company's departments, updated live; empty while loading and without the right to read users. */
export const useDepartments = (): readonly Department[] =>
  useRecords('department', { enabled: useMay('user', 'Read') }).rows ?? NONE
