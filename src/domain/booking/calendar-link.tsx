import { CopyOutlined } from '@ant-design/icons'
import { Button, Card, Input, Space } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState, type FC } from 'react'
import { type BookingLink, bookings } from '../../../contract/bookings/calls.ts'
import { call, callQuery } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  kind: BookingLink['Kind']
  /** Room, for a room's calendar and its door display. */
  roomId?: string
}

/** Secret URL of a calendar feed or a door display. It is shown once; creating a new one revokes the old one. */
export const CalendarLink: FC<Props> = ({ kind, roomId }) => {
  const t = useT()
  const [createdPath, setCreatedPath] = useState<string>()
  const query = useQuery(callQuery(bookings.listLinks, {}))
  const link = query.data?.find(
    ({ Kind, ConferenceRoomID }) => Kind === kind && ConferenceRoomID === (roomId ?? null),
  )
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      notices.error(() => describeFailure(error))
    }
  }
  const create = () =>
    run(async () => {
      const feedInput = { Kind: kind, ...(roomId !== undefined && { ConferenceRoomID: roomId }) }
      setCreatedPath(location.origin + (await call(bookings.createLink, feedInput)).Path)
    })
  const confirmAction = (title: string, onOk: () => Promise<void>) =>
    confirm({
      title,
      content: t('bookings:link.stops'),
      cancelText: t('screens:cancel'),
      okText: title,
      okButtonProps: { danger: true },
      onOk,
    })
  const copy = async (address: string) => {
    try {
      await navigator.clipboard.writeText(address)
      notices.success(() => t('screens:copied'))
    } catch {
      notices.error(() => t('screens:copyFailed'))
    }
  }
  return (
    <Card size="small" title={t(`bookings:link.${kind}`)}>
      <p className={page.hint}>{t(`bookings:link.${kind}Hint`)}</p>
      {createdPath !== undefined && (
        <Space.Compact block className={page.below16}>
          <Input
            readOnly
            value={createdPath}
            aria-label={t('bookings:link.address')}
            onFocus={(event) => event.target.select()}
          />
          <Button
            icon={<CopyOutlined />}
            aria-label={t('screens:copy', { what: t('bookings:link.address') })}
            onClick={() => void copy(createdPath)}
          />
        </Space.Compact>
      )}
      <Space wrap>
        <Button onClick={() => (link ? confirmAction(t('bookings:link.renew'), create) : void create())}>
          {t(link ? 'bookings:link.renew' : 'bookings:link.make')}
        </Button>
        {link && (
          <Button
            danger
            onClick={() =>
              confirmAction(t('bookings:link.revoke'), () =>
                run(async () => {
                  await call(bookings.revokeLink, { LinkID: link.LinkID })
                  setCreatedPath(undefined)
                }),
              )
            }
          >
            {t('bookings:link.revoke')}
          </Button>
        )}
      </Space>
    </Card>
  )
}
