import type { scene } from '../../../contract/resources/scene.ts'
import type { HandlersOf } from '../../context.ts'
import { notThere } from './not-there.ts'

export const sceneHandlers: HandlersOf<typeof scene.operations> = {
  list: notThere,
  create: notThere,
  update: notThere,
  remove: notThere,
}
