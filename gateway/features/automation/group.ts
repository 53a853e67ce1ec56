import type { group } from '../../../contract/resources/group.ts'
import type { HandlersOf } from '../../context.ts'
import { notThere } from './not-there.ts'

export const groupHandlers: HandlersOf<typeof group.operations> = {
  list: notThere,
  create: notThere,
  update: notThere,
  remove: notThere,
}
