import type { UseFormRegisterReturn } from 'react-hook-form';
import * as v from 'valibot';
import { Field } from '~/ui/field';
import { texts } from './security-texts';

export const codeRules = v.object({ code: v.pipe(v.string(), v.nonEmpty(texts.codeMissing)) });

interface CodeFieldProps extends UseFormRegisterReturn {
  error: string | undefined;
}

/** For a one-time code or a recovery code. */
export function CodeField(props: CodeFieldProps) {
  return (
    <Field
      {...props}
      label={texts.code}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      note={texts.anyCode}
    />
  );
}
