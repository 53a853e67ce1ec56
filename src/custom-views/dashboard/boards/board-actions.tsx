import { CopyOutlined, DeleteOutlined, EditOutlined, MoreOutlined, ShareAltOutlined } from '@ant-design/icons'
import { Dropdown, Button } from 'antd'
import { useState } from 'react'
import {
  dashboard,
  type Dashboard,
  isMine,
  isShared,
  mayDelete,
} from '../../../../contract/dashboards/dashboard.ts'
import { useMe, useSubject } from '../../../data/session.ts'
import { createSend, useAction } from '../../../data/use-action.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import { NameDialog } from './name-dialog.tsx'
import { DEFAULT_BOARD } from './open-board.ts'
import { useBoardAddress } from './use-board-address.ts'

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), { over: true })

export function BoardActions({ board, mayChange }: { board: Dashboard; mayChange: boolean }) {
  const t = useT()
  const me = useMe()
  const subject = useSubject()
  const [shows, setShows] = useState<'share' | 'rename' | 'copy'>()
  const [send] = useState(createSend)
  const { open } = useBoardAddress()
  const rename = useAction(dashboard.operations.update, { shows: 'both' })
  const copy = useAction(dashboard.operations.create, { shows: 'both' })
  if (!me || !subject) return null
  const { DashboardID, Name, Version } = board
  const close = () => setShows(undefined)
  const remove = () =>
    confirmRemoval({
      name: Name,
      consequence: isShared(board.Shared) ? t('boards:removeShared') : t('boards:remove'),
      remove: async () => {
        await send(dashboard.operations.remove, { DashboardID })
        open(DEFAULT_BOARD, { replace: true })
      },
    })
  const items = [
    ...(isMine(board, me.CognitoId)
      ? [{ key: 'share', icon: <ShareAltOutlined />, label: t('boards:share.act') }]
      : []),
    ...(mayChange ? [{ key: 'rename', icon: <EditOutlined />, label: t('boards:rename') }] : []),
    { key: 'copy', icon: <CopyOutlined />, label: t('boards:copy') },
    ...(mayDelete(board, subject, me.CognitoId)
      ? [{ key: 'remove', icon: <DeleteOutlined />, label: t('boards:delete'), danger: true }]
      : []),
  ]
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items,
          onClick: ({ key }) => (key === 'remove' ? remove() : setShows(key as 'share' | 'rename' | 'copy')),
        }}
      >
        <Button icon={<MoreOutlined />} aria-label={t('boards:more', { name: Name })} />
      </Dropdown>
      {shows === 'share' && <ShareDialog board={board} close={close} />}
      {shows === 'rename' && (
        <NameDialog
          title={t('boards:rename')}
          name={Name}
          ok={t('boards:save')}
          action={rename}
          close={close}
          save={async (name) => {
            if (await rename.run({ DashboardID, Name: name, Version }, () => translate('screens:updated')))
              close()
          }}
        />
      )}
      {shows === 'copy' && (
        <NameDialog
          title={t('boards:copy')}
          name={t('boards:copyOf', { name: Name }).slice(0, 64)}
          ok={t('boards:create')}
          action={copy}
          close={close}
          save={async (name) => {
            const made = await copy.run({ Name: name, Cards: board.Cards }, () =>
              translate('boards:made', { name }),
            )
            if (!made) return
            close()
            open(made.DashboardID)
          }}
        />
      )}
    </>
  )
}
