import { HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import type { RunsQuery } from './use-runs.ts'

const RunDrawer = lazyPart(() => import('./run-drawer.tsx'), { over: true })

interface Props {
  HomeID: string
  /** What ran, by name. */
  name: string
  /** The run that is shown at once; without it the list of `asked`. */
  runId?: string | undefined
  asked?: RunsQuery | undefined
  children?: string
  /** Among the small buttons of a row. */
  small?: boolean
}

/** Opens what became of a run, or the last runs of something. */
export function RunButton({ HomeID, name, runId, asked, children, small = false }: Props) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const label = t('automation:run.show', { name })
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span onClick={(event) => event.stopPropagation()}>
      {small ? (
        <IconButton icon={<HistoryOutlined />} label={label} onPress={() => setOpen(true)} />
      ) : (
        <Button
          type={children === undefined ? 'default' : 'text'}
          aria-label={label}
          onClick={() => setOpen(true)}
        >
          {children ?? t('automation:run.details')}
        </Button>
      )}
      {isOpen && (
        <RunDrawer
          title={t('automation:run.title', { name })}
          HomeID={HomeID}
          runId={runId}
          asked={asked}
          close={() => setOpen(false)}
        />
      )}
    </span>
  )
}
