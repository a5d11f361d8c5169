-- compatible-with-level: 17
-- The trace of the request that caused a delivery (W3C Trace Context). The delivery passes it on.
alter table webhook_deliveries add column traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
