import { HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import type { RunsQuery } from './use-runs.ts'

const RunDrawer = lazyPart(() => import('./run-drawer.tsx'), { isOverlay: true })

interface Props {
  HomeID: string
  /** Name of the scene, automation, group or room. */
  name: string
  /** Run to open directly; without it, the list of runs that match `query`. */
  runId?: string | undefined
  query?: RunsQuery | undefined
  children?: string
  /** Renders as a small button in a table row. */
  small?: boolean
}

/** Opens the outcome of a run, or a list of recent runs. */
export function RunButton({ HomeID, name, runId, query, children, small = false }: Props) {
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
          query={query}
          close={() => setOpen(false)}
        />
      )}
    </span>
  )
}
