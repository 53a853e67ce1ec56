import type { RowOf } from '../../record-kit/resource-types.ts'

/** A scene in a list response. */
export type ListedScene = RowOf<'scene'>
