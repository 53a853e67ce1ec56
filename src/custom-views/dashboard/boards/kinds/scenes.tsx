import { CaretRightOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { scene } from '../../../../../contract/automation/scene.ts'
import { callQuery } from '../../../../data/api.ts'
import { useAction } from '../../../../data/use-action.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { runScene } from '../../../../live/run-scene.ts'
import { useNoControl } from '../../../../ui/inputs/no-control.ts'
import page from '../../../../ui/page/page.module.css'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

export default function ScenesCard({ card: { HomeID, SceneIDs }, title, homes }: CardProps<'scenes'>) {
  const t = useT()
  const reason = useNoControl()
  const query = useQuery(callQuery(scene.operations.list, { HomeID }))
  const running = useAction(({ SceneID }: { SceneID: string }) => runScene(HomeID, SceneID))
  const scenes = SceneIDs.flatMap((id) => query.data?.find(({ SceneID }) => SceneID === id) ?? [])
  const missingCount = SceneIDs.length - scenes.length
  return (
    <CardFrame
      title={title ?? t('boards:kinds.scenes.name')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={query.isPending}
    >
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {scenes.length === 0 ? (
          <Empty why={t('boards:scenesGone')} />
        ) : (
          <div className={page.buttons}>
            {scenes.map(({ SceneID, SceneName }) => (
              <Button
                key={SceneID}
                icon={<CaretRightOutlined />}
                disabled={running.busy || reason !== undefined}
                title={reason}
                aria-label={t('boards:runScene', { name: SceneName })}
                onClick={() =>
                  void running.run({ SceneID }, () => t('boards:sceneBegun', { name: SceneName }))
                }
              >
                {SceneName}
              </Button>
            ))}
          </div>
        )}
        {scenes.length > 0 && missingCount > 0 && (
          <p className={`${page.small} ${page.warning}`}>{t('boards:someGone', { count: missingCount })}</p>
        )}
      </QueryCard>
    </CardFrame>
  )
}
