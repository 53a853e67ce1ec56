import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { scene } from '../../../../../contract/automation/scene.ts'
import { MAX_ITEMS_PER_CARD } from '../../../../../contract/dashboards/cards.ts'
import { callQuery } from '../../../../data/api.ts'
import { describeFailure } from '../../../../data/failure.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import type { ChoiceProps } from './draft.ts'
import { holdsLabel } from '../../../../ui/inputs/holds-label.ts'

/** Up to twelve scenes of a home. */
export function SceneChoice({ home: { HomeID }, draft, set }: ChoiceProps) {
  const t = useT()
  const query = useQuery(callQuery(scene.operations.list, { HomeID }))
  return (
    <Form.Item label={t('boards:fields.scenes', { most: MAX_ITEMS_PER_CARD })} htmlFor="card-scenes">
      <Select
        id="card-scenes"
        mode="multiple"
        filterOption={holdsLabel}
        maxCount={MAX_ITEMS_PER_CARD}
        loading={query.isPending}
        notFoundContent={query.error && !query.data ? describeFailure(query.error) : t('boards:noScenes')}
        value={draft.SceneIDs ?? []}
        onChange={(SceneIDs: string[]) => set({ SceneIDs })}
        options={query.data?.map(({ SceneID, SceneName }) => ({ value: SceneID, label: SceneName }))}
      />
    </Form.Item>
  )
}
