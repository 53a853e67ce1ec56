import { MailOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { reports } from '../../../contract/reports/calls.ts'
import { notices } from '../../data/notices.ts'
import { useMay, useMe } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { PeopleSelect } from '../../domain/access/people-select.tsx'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import type { ReportAddress } from './use-report-address.ts'
import { Modal } from '../../ui/dialog/dialog.tsx'

interface Props {
  address: ReportAddress
  disabled: boolean
}

/** Sends the report by email to people of the company, each in their own language. */
export function SendReport({ address, disabled }: Props) {
  const t = useT()
  const me = useMe()
  const may = useMay('electricity_download', 'Export')
  const [isOpen, setOpen] = useState(false)
  const [people, setPeople] = useState<string[]>()
  const { busy, run } = useAction(reports.sendReport)
  if (!may) return null
  const chosen = people ?? (me ? [me.CognitoId] : [])
  async function send() {
    const { HomeID, Kind, Period } = address
    const sent = await run({ HomeID, Kind, Period, Recipients: chosen })
    if (!sent) return
    setOpen(false)
    if (sent.Letters > 0) notices.success(() => tNow('report:send.done', { count: sent.Letters }))
    if (sent.Skipped.length)
      notices.error(() =>
        tNow('report:send.skipped', { names: sent.Skipped.map(({ Name }) => Name).join('、') }),
      )
  }
  return (
    <>
      <Button icon={<MailOutlined />} disabled={disabled} onClick={() => setOpen(true)}>
        {t('report:send.button')}
      </Button>
      <Modal
        open={isOpen}
        title={t('report:send.title')}
        okText={t('report:send.ok')}
        cancelText={t('screens:cancel')}
        confirmLoading={busy}
        okButtonProps={{ disabled: chosen.length === 0 }}
        onOk={() => void send()}
        onCancel={() => setOpen(false)}
      >
        <label className={page.intro}>
          <span>{t('report:send.people')}</span>
          <PeopleSelect value={chosen} onChange={setPeople} />
        </label>
        <p className={page.hint}>{t('report:send.hint')}</p>
      </Modal>
    </>
  )
}
