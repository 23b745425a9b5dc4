/** The shop's name, as its owner has it; the HTML that the server sends has it. */
export const shopName = (): string => (document.getElementsByName('application-name')[0] as HTMLMetaElement).content;
