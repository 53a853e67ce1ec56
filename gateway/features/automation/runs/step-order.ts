import type { DeviceStep } from '../targets/expand-actions.ts'
import type { RunPlan } from './port.ts'
import type { RunStep } from './step.ts'

type Ordered = Pick<RunStep, 'follows' | 'stops'>

/**
 * After which of the steps of a run each begins where that is not what its order says, and whether it is left out when they failed: a
 * scene that an automation runs keeps its own order, and counts in order as one action.
 *
 * returns  for each step, in order; steps are numbered from 1
 */
export function orderOf(
  steps: readonly Pick<DeviceStep, 'action' | 'scene'>[],
  { order, stopOnFailure = false }: Pick<RunPlan, 'order' | 'stopOnFailure'>,
): Ordered[] {
  if (order === 'together') return steps.map((_, i) => withinScene(steps, i))
  const stops = stopOnFailure && { stops: true }
  if (!steps.some(({ scene }) => scene)) return steps.map((_, i) => (i > 0 ? { ...stops } : {}))
  let [block, before]: [number[], number[]] = [[], []]
  return steps.map((step, i) => {
    const within = withinScene(steps, i)
    const isBeside = isOfLast(steps, i) && step.scene?.Order === 'together'
    if (isBeside) block.push(i + 1)
    else [before, block] = [block, [i + 1]]
    return { ...(before.length > 0 && stops), ...within, follows: [...before] }
  })
}

/** The order that a scene gives a step: after the one before it of that scene. */
function withinScene(steps: readonly Pick<DeviceStep, 'action' | 'scene'>[], i: number): Ordered {
  const { scene } = steps[i] ?? {}
  if (!isOfLast(steps, i) || scene?.Order !== 'inOrder') return {}
  return { follows: [i], ...(scene.StopOnFailure && { stops: true }) }
}

const isOfLast = (steps: readonly Pick<DeviceStep, 'action' | 'scene'>[], i: number): boolean =>
  steps[i]?.scene !== undefined && steps[i - 1]?.action === steps[i]?.action
