import { Button } from 'antd'
import { useState } from 'react'
import { findings, type Finding } from '../../../contract/findings/calls.ts'
import { mayMove } from '../../../contract/findings/finding-life.ts'
import { useMe } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFindingWords } from '../../domain/finding/use-finding-words.ts'
import page from '../../ui/page/page.module.css'
import { DismissDialog, DoneDialog } from './findings-dialogs.tsx'

/** Actions on a finding, at the lower edge within reach of the thumb. */
export function FindingActions({ finding, zone }: { finding: Finding; zone: string }) {
  const t = useT()
  const me = useMe()
  const [dialog, setDialog] = useState<'done' | 'dismiss'>()
  const { busy, run } = useAction(findings.updateFinding)
  const { titleOf } = useFindingWords()
  const { HomeID, FindingID, Version, State, Owner } = finding
  const name = titleOf(finding)
  const key = { HomeID, FindingID, Version }
  const accept = () =>
    run({ ...key, State: 'accepted', ...(Owner === null && me && { Owner: me.CognitoId }) }, () =>
      t('insight:findings.acts.accepted', { name }),
    )
  const reopen = () =>
    run({ ...key, State: State === 'done' ? 'accepted' : 'open' }, () =>
      t('insight:findings.acts.reopened', { name }),
    )
  const acts = {
    accept: State === 'open',
    done: State === 'open' || State === 'accepted',
    dismiss: State !== 'dismissed' && mayMove(State, 'dismissed'),
    reopen: State === 'dismissed' || State === 'accepted' || State === 'done',
  }
  if (!Object.values(acts).some(Boolean)) return null
  return (
    <div className={page.buttons}>
      {acts.accept && (
        <Button type="primary" loading={busy} onClick={() => void accept()}>
          {t('insight:findings.acts.accept')}
        </Button>
      )}
      {acts.done && (
        <Button type={State === 'accepted' ? 'primary' : 'default'} onClick={() => setDialog('done')}>
          {t('insight:findings.acts.done')}
        </Button>
      )}
      {acts.dismiss && (
        <Button onClick={() => setDialog('dismiss')}>{t('insight:findings.acts.dismiss')}</Button>
      )}
      {acts.reopen && (
        <Button loading={busy} onClick={() => void reopen()}>
          {t(State === 'done' ? 'insight:findings.acts.back' : 'insight:findings.acts.reopen')}
        </Button>
      )}
      {dialog === 'done' && (
        <DoneDialog finding={finding} name={name} zone={zone} close={() => setDialog(undefined)} />
      )}
      {dialog === 'dismiss' && (
        <DismissDialog finding={finding} name={name} zone={zone} close={() => setDialog(undefined)} />
      )}
    </div>
  )
}
