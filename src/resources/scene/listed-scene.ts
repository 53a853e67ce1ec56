import type { RowOf } from '../../record-kit/resource-types.ts'

export type ListedScene = RowOf<'scene'>
