import { useQuery } from '@tanstack/react-query'
import { group } from '../../../contract/automation/group.ts'
import { scene } from '../../../contract/automation/scene.ts'
import { callQuery } from '../../data/api.ts'
import { useCurrentHome } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { hasScreen } from '../../routes.tsx'
import type { SearchFacts } from './search-index.ts'

/** The groups and scenes of the current home as far as the person may read them, and whether they may run these. */
export function useActs(): Pick<SearchFacts, 'groups' | 'scenes' | 'mayRun'> {
  const HomeID = useCurrentHome()?.HomeID
  const mayReadGroups = useMay('group', 'Read') && hasScreen('updateGroup')
  const mayReadScenes = useMay('scene', 'Read') && hasScreen('updateScene')
  const mayRun = useMay('device_control', 'Control')
  const groups = useQuery({
    ...callQuery(group.operations.list, { HomeID: HomeID ?? '' }),
    enabled: mayReadGroups && HomeID !== undefined,
  })
  const scenes = useQuery({
    ...callQuery(scene.operations.list, { HomeID: HomeID ?? '' }),
    enabled: mayReadScenes && HomeID !== undefined,
  })
  return { groups: groups.data ?? NONE, scenes: scenes.data ?? NONE, mayRun }
}

const NONE: never[] = []
