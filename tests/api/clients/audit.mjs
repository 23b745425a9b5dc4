// What graphql-http's audit says of the server in SHOP, as JSON.
import { auditServer } from 'graphql-http';

const results = await auditServer({ url: process.env.SHOP });
console.log(JSON.stringify(results.map(({ id, name, status, reason }) => ({ id, name, status, reason }))));
