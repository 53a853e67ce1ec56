import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, type ReactNode } from 'react'

/** Button that opens the browser's file dialog for one file. The same file can be chosen again. */
export function FileButton(props: {
  /** Accessible name: the purpose of the file. */
  label: string
  /** MIME types. */
  accept: readonly string[]
  busy?: boolean
  choose: (file: File) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={<UploadOutlined />} loading={props.busy ?? false} onClick={() => input.current?.click()}>
        {props.children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={props.label}
        accept={props.accept.join(',')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) props.choose(file)
        }}
      />
    </>
  )
}
