import type { RowOf } from '../../record-kit/resource-types.ts'

/** A scene as it is listed. */
export type ListedScene = RowOf<'scene'>
